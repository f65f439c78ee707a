#include "run.hpp"

#include <fcntl.h>
#include <pty.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>
#include <stdexcept>

namespace rope::test {
namespace {

namespace fs = std::filesystem;

std::string read_all(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("cannot read " + path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

void redirect(int descriptor, const std::string& path, int flags) {
  const int opened = open(path.c_str(), flags, 0600);
  if (opened < 0 || dup2(opened, descriptor) < 0) _exit(127);
  close(opened);
}

void redirect_out(const Setting& setting, const std::string& captured) {
  if (setting.close_out) {
    close(STDOUT_FILENO);
  } else if (setting.close_reader) {
    int ends[2];
    if (pipe(ends) != 0) _exit(127);
    close(ends[0]);
    dup2(ends[1], STDOUT_FILENO);
    close(ends[1]);
  } else {
    redirect(STDOUT_FILENO, setting.out_file.empty() ? captured : setting.out_file,
             O_WRONLY | O_CREAT | O_TRUNC);
  }
}

void set_environment(const Setting& setting) {
  for (const char* name : {"NO_COLOR", "TERM", "COLORTERM", "LC_CTYPE", "LANG"}) unsetenv(name);
  setenv("LC_ALL", "C.UTF-8", 1);
  // To look for leaks takes half of the time of a short run; the examples of the documents do it.
  if (const char* options = std::getenv("ASAN_OPTIONS"))
    setenv("ASAN_OPTIONS", (std::string(options) + ":detect_leaks=0").c_str(), 1);
  for (const auto& [name, value] : setting.environment) {
    if (value.empty()) {
      unsetenv(name.c_str());
    } else {
      setenv(name.c_str(), value.c_str(), 1);
    }
  }
}

[[noreturn]] void execute(std::vector<std::string> command) {
  std::vector<char*> words;
  for (std::string& word : command) words.push_back(word.data());
  words.push_back(nullptr);
  execv(words[0], words.data());
  _exit(127);
}

}  // namespace

std::string flowing(const std::string& text) {
  std::istringstream words(text);
  std::string line;
  for (std::string word; words >> word;) line += (line.empty() ? "" : " ") + word;
  return line;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

std::vector<std::string> commands_in(const std::string& help) {
  static const std::regex line_of_a_command("^(?:[A-Z ]+ )?([a-z]+)  +[A-Z].*");
  std::vector<std::string> commands;
  for (const std::string& line : lines_of(help))
    if (std::smatch match; std::regex_match(line, match, line_of_a_command))
      commands.push_back(match[1]);
  return commands;
}

std::size_t columns_of(const std::string& line) {
  std::size_t columns = 0;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const auto byte = static_cast<unsigned char>(line[i]);
    if (line[i] == '\033') {
      i = std::min(line.find_first_of("mK", i), line.size());
      if (line[i] == 'K') columns = 0;
    } else if ((byte & 0xC0U) != 0x80U) {  // not the rest of a character
      columns += byte >= 0xE3U && byte <= 0xEFU ? 2 : 1;
    }
  }
  return columns;
}

CliTest::CliTest() {
  std::string pattern = (fs::temp_directory_path() / "rope-cli-XXXXXX").string();
  if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("cannot make " + pattern);
  root_ = pattern;
  folder_ = root_ + "/work";
  fs::create_directory(folder_);
}

CliTest::~CliTest() {
  std::error_code ignored;
  fs::remove_all(root_, ignored);
}

Outcome CliTest::start(const std::vector<std::string>& command, const Setting& setting) const {
  if (setting.terminal_columns > 0) return start_in_terminal(command, setting);
  const std::string out = root_ + "/out", err = root_ + "/err";
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error("cannot fork");
  if (child == 0) {
    if (chdir(folder_.c_str()) != 0) _exit(127);
    redirect(STDIN_FILENO, "/dev/null", O_RDONLY);
    redirect_out(setting, out);
    redirect(STDERR_FILENO, err, O_WRONLY | O_CREAT | O_TRUNC);
    set_environment(setting);
    execute(command);
  }
  int status = 0;
  if (waitpid(child, &status, 0) != child) throw std::runtime_error("cannot wait");
  Outcome run;
  run.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  if (!setting.close_out && !setting.close_reader && setting.out_file.empty())
    run.out = read_all(out);
  run.err = read_all(err);
  if (run.exit_code == 99) ADD_FAILURE() << "a sanitizer stopped the program:\n" << run.err;
  return run;
}

Outcome CliTest::start_in_terminal(const std::vector<std::string>& command,
                                   const Setting& setting) const {
  winsize size{};
  size.ws_row = 24;
  size.ws_col = static_cast<unsigned short>(setting.terminal_columns);
  int terminal = -1;
  const pid_t child = forkpty(&terminal, nullptr, nullptr, &size);
  if (child < 0) throw std::runtime_error("cannot open a terminal");
  if (child == 0) {
    if (chdir(folder_.c_str()) != 0) _exit(127);
    set_environment(setting);
    execute(command);
  }
  Outcome run;
  std::string keys = setting.keys;
  char bytes[4096];
  // At the end of the program reading fails with EIO.
  for (ssize_t got = 0; (got = ::read(terminal, bytes, sizeof bytes)) > 0;) {
    run.out.append(bytes, static_cast<std::size_t>(got));
    // Sooner, and they would be lost with the answers that the program asks of a terminal.
    if (keys.empty() || run.out.find("q quits") == std::string::npos) continue;
    if (::write(terminal, keys.data(), keys.size()) < 0) throw std::runtime_error("cannot type");
    keys.clear();
  }
  close(terminal);
  std::erase(run.out, '\r');  // the terminal ends each line with it
  int status = 0;
  if (waitpid(child, &status, 0) != child) throw std::runtime_error("cannot wait");
  run.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  if (run.exit_code == 99) ADD_FAILURE() << "a sanitizer stopped the program:\n" << run.out;
  return run;
}

Outcome CliTest::rope(const std::vector<std::string>& arguments, const Setting& setting) const {
  std::vector<std::string> command = {ROPE_PROGRAM};
  command.insert(command.end(), arguments.begin(), arguments.end());
  return start(command, setting);
}

Outcome CliTest::shell(const std::string& line, Setting setting) const {
  setting.environment["PATH"] =
      fs::path(ROPE_PROGRAM).parent_path().string() + ":" + std::getenv("PATH");
  return start({"/bin/sh", "-c", line}, setting);
}

std::vector<std::string> CliTest::files() const {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder_))
    names.push_back(entry.path().filename());
  std::sort(names.begin(), names.end());
  return names;
}

std::string CliTest::read(const std::string& name) const { return read_all(path(name)); }

void CliTest::write(const std::string& name, const std::string& content) const {
  std::ofstream(path(name), std::ios::binary) << content;
}

std::string CliTest::fake_program(const std::string& name, const std::string& script) const {
  const std::string folder = root_ + "/bin";
  fs::create_directory(folder);
  std::ofstream(folder + "/" + name) << "#!/bin/sh\n" << script << "\n";
  fs::permissions(folder + "/" + name, fs::perms::owner_all);
  return folder;
}

}  // namespace rope::test
