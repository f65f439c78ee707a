#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace rope::benchmark {

/// One line of a table: what took part, and what its time cannot fall below.
struct Contestant {
  std::string name;
  std::function<double()> seconds;  ///< runs it once
  double share = 1;                 ///< of the whole work that one run does
  std::vector<double> runs = {};    ///< seconds for the whole work, a round each
};

/// Contestants whose first is what all are compared with: a limit of the machine, or a peer.
struct Contest {
  std::string key;    ///< in the JSON document
  std::string title;  ///< in the table
  std::string limit;  ///< one sentence: what the first line stands for
  std::vector<Contestant> contestants;
};

/// Ratio of a contestant to the first one: of the rounds, each of which ran both.
struct Ratio {
  double low, median, high;  ///< the tenth, fifth and ninth tenth of the rounds
  double best;               ///< of the quickest runs of both
};
Ratio ratio(const Contest& contest, const Contestant& contestant);

/// Runs all contestants once a round, in turn, so that what else the machine does meets all alike.
void run(Contest& contest, int rounds);

/// The tables as Markdown, beside the ratios of an earlier run if its JSON is given, and as JSON.
std::string markdown(const std::vector<Contest>& contests, int rounds, const std::string& earlier);
std::string json(const std::vector<Contest>& contests, int rounds);

/// Seconds that a piece of work takes here.
double time_of(const std::function<void()>& work);

/// Seconds from the start of a program to its end; its output is thrown away. Ends the benchmark if
/// the program fails.
double time_of_program(const std::vector<std::string>& command);

/// What a program took from its start to its end; otherwise as time_of_program.
struct Usage {
  double user_seconds;     ///< of all threads
  double system_seconds;   ///< of the system's work for it
  std::size_t peak_bytes;  ///< of memory; never less than this process held when it started that
};
Usage usage_of_program(const std::vector<std::string>& command);

/// The same of work that a copy of this process does.
Usage usage_of(const std::function<void()>& work);

/// A process that answers each line, the name of a peer and the size of its work, with the seconds
/// it took. Nobody is there if it cannot be started.
class Peers {
 public:
  explicit Peers(const std::string& script);
  ~Peers();
  Peers(const Peers&) = delete;
  Peers& operator=(const Peers&) = delete;
  bool have(const std::string& name) const;
  double seconds(const std::string& request);

 private:
  int to_ = -1, from_ = -1, child_ = -1;
  std::string names_;
  std::string answer();
};

}  // namespace rope::benchmark
