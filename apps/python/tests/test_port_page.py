"""docs/my-port-talks-nonsense.md: each capture writes what the page says, and the answers begin as its tables say.

torch is the real package if it is installed. transformers, vLLM, MLX and ggml are stand-ins below with the signatures of the real ones: transformers' model is one of families/, vLLM's kernel rotates in place, an mlx.nn.Module keeps arrays and callables as the real one does, ggml's tensors have ne, nb, op and src, and its rope overwrites its input.
"""

import os
import re
import shlex
import shutil
import subprocess
import sys
import types

import pytest
import rope_check
from pages import blocks, page, section
from rope_check.program import find_program

np = pytest.importorskip("numpy")
TEXT = page("my-port-talks-nonsense.md")
MODEL = "llama-3.1-8b"
TOKENS = [11, 12, 13, 14, 15, 16, 17, 18, 19, 20]


def ask(folder, command):
    words = shlex.split(command.partition("#")[0])
    assert words[0] == "rope"
    return subprocess.run([find_program(), *words[1:]], cwd=folder, capture_output=True, text=True, encoding="utf-8")


def sentence(answer):
    return " ".join(answer.stdout.split())


def rotated(x, positions, **stated):
    """Rotates x of shape [tokens, heads, head_dim], float32, in the half layout."""
    table = rope_check.table(stated.pop("model", MODEL), positions, **stated)
    cos, sin = table.cos.astype("f4")[:, None], table.sin.astype("f4")[:, None]
    a, b = np.split(x, 2, -1)
    return np.concatenate([a * cos - b * sin, b * cos + a * sin], -1)


def vectors(tokens=24, heads=4):
    return np.random.default_rng(1).standard_normal((tokens, heads, 128)).astype("f4")


def of_page(heading, language="python"):
    return blocks(section(TEXT.replace("### ", "## "), heading), language)[0]


def capture(code, folder, monkeypatch, modules):
    for name, contents in modules.items():
        stand_in = types.ModuleType(name)
        stand_in.__dict__.update(contents)
        monkeypatch.setitem(sys.modules, name, stand_in)
    monkeypatch.chdir(folder)
    exec(code, {"__name__": "page"})
    return np.load(folder / "port.npz")


def commands():
    return blocks(TEXT, "sh")[0].splitlines()


def judge(folder, verified="PASS", diagnosed="What you state fits"):
    for command, begins in zip(commands(), (verified, diagnosed)):
        answer = ask(folder, command)
        assert sentence(answer).startswith(begins), answer.stdout + answer.stderr


def test_transformers(tmp_path, monkeypatch):
    pytest.importorskip("torch")
    from families import llama
    model = llama.model(rope_theta=500000.0)

    class AutoModelForCausalLM:
        @staticmethod
        def from_pretrained(name):
            model.model_for = name
            model.forward = types.MethodType(lambda self, ids, forward=model.forward: forward(ids % 50), model)
            return model

    found = capture(of_page("Hugging Face transformers"), tmp_path, monkeypatch,
                    {"transformers": {"AutoModelForCausalLM": AutoModelForCausalLM}})
    assert found["q_pre"].shape == (1, 4, 24, 16) and found["positions"].shape == (1, 24)
    judged = rope_check.verify(found["q_pre"], found["q_rot"], config=model.config, token_axis=2)
    assert judged.passed, judged


@pytest.mark.parametrize("clone", [True, False])
def test_vllm(tmp_path, monkeypatch, clone):
    torch = pytest.importorskip("torch")

    class Llama3RotaryEmbedding(torch.nn.Module):
        def forward(self, positions, query, key=None):
            for tensor in (query, key):
                heads = tensor.view(len(positions), -1, 128)
                heads.copy_(torch.from_numpy(rotated(heads.float().numpy(), positions.numpy())).to(tensor.dtype))
            return query, key

    class LLM:
        def __init__(self, model, enforce_eager):
            assert enforce_eager and os.environ["VLLM_ENABLE_V1_MULTIPROCESSING"] == "0"
            self.layers = torch.nn.ModuleList([Llama3RotaryEmbedding(), Llama3RotaryEmbedding()])
            self.step(torch.zeros(64, dtype=torch.long))  # the warm-up

        def step(self, positions):
            for layer in self.layers:
                qkv = torch.randn(len(positions), 768, generator=torch.manual_seed(0)).to(torch.bfloat16)
                q, k, _ = qkv.split([512, 128, 128], -1)
                layer(positions, q, k)

        def generate(self, prompts, sampling):
            with torch.inference_mode():
                self.step(torch.arange(20))

    code = of_page("vLLM")
    if not clone:
        code = code.replace("[tensor.clone() for tensor in arguments[:3]]", "list(arguments[:3])")
    hooks = torch.nn.modules.module
    saved = [dict(hooks._global_forward_pre_hooks), dict(hooks._global_forward_hooks)]
    monkeypatch.setenv("VLLM_ENABLE_V1_MULTIPROCESSING", "1")
    try:
        found = capture(code, tmp_path, monkeypatch, {"vllm": {"LLM": LLM, "SamplingParams": dict}})
    finally:
        for kept, now in zip(saved, (hooks._global_forward_pre_hooks, hooks._global_forward_hooks)):
            now.clear()
            now.update(kept)
    assert found["q_pre"].shape == (20, 512) and found["positions"].tolist() == list(range(20))
    judge(tmp_path, *([] if clone else ["FAIL", "The result is the input"]))


def test_mlx(tmp_path, monkeypatch):
    class array(np.ndarray):
        def __new__(cls, values):
            return np.asarray(values).view(cls)

    class Module(dict):
        def __getattr__(self, name):
            return self[name]

        def __setattr__(self, name, value):
            if isinstance(value, (array, dict, list, tuple)):
                self[name] = value
            else:
                super().__setattr__(name, value)
                self.pop(name, None)

    class Rope(Module):
        def __call__(self, x, offset=0):
            tokens = np.moveaxis(np.asarray(x)[0], 0, 1)
            return array(np.moveaxis(rotated(tokens, np.arange(len(tokens)) + offset), 1, 0)[None])

    class Attention(Module):
        def __call__(self, ids, cache=None):
            q = array(np.moveaxis(vectors(ids.shape[1]), 1, 0)[None])
            return self.rope(q), self.rope(q[:, :1])

    class Model(Module):
        def __call__(self, ids):
            return [layer.self_attn(ids) for layer in self.layers]

    model, layer = Model(), Module()
    layer.self_attn = Attention()
    layer.self_attn.rope = Rope()
    model.layers = [layer]
    tokenizer = types.SimpleNamespace(encode=lambda text: TOKENS)
    core = types.SimpleNamespace(array=array, float32=np.float32)
    found = capture(of_page("MLX"), tmp_path, monkeypatch,
                    {"mlx": {"core": core}, "mlx.core": vars(core),
                     "mlx_lm": {"load": lambda name: (model, tokenizer)}})
    assert found["q_pre"].shape == (1, 4, len(TOKENS), 128)
    judge(tmp_path)


GGML = {"ggml.h": """
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>
enum ggml_type { GGML_TYPE_F32 = 0, GGML_TYPE_BF16 = 30 };
enum ggml_op { GGML_OP_RESHAPE, GGML_OP_ROPE };
struct ggml_tensor {
  ggml_type type; int64_t ne[4]; size_t nb[4]; ggml_op op; ggml_tensor* src[10]; void* data; char name[64];
};
inline size_t ggml_type_size(ggml_type type) { return type == GGML_TYPE_F32 ? 4 : 2; }
inline const char* ggml_type_name(ggml_type type) { return type == GGML_TYPE_F32 ? "f32" : "bf16"; }
inline size_t ggml_nbytes(const ggml_tensor* t) { return t->ne[0] * 4; }
""", "ggml-backend.h": """
#pragma once
#include "ggml.h"
typedef bool (*ggml_backend_sched_eval_callback)(ggml_tensor* t, bool ask, void* user_data);
inline void ggml_backend_tensor_get(const ggml_tensor* t, void* to, size_t at, size_t size) {
  std::memcpy(to, static_cast<const char*>(t->data) + at, size);
}
"""}

# q is a view of the rows of [q, k], 4 heads of 6; the rotation overwrites it.
GGML_MAIN = """
static std::vector<char> read(const char* path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}
int main() {
  ggml_backend_sched_eval_callback callback = dump_rope;
  std::vector<char> x = read("in.x"), y = read("in.y"), m = read("in.m");
  const size_t n = SIZE;
  ggml_tensor positions{GGML_TYPE_F32, {24, 1, 1, 1}, {4, 96, 96, 96}, GGML_OP_RESHAPE, {}, m.data(), "inp_pos"};
  ggml_tensor q{TYPE, {128, 4, 24, 1}, {n, 128 * n, 768 * n, 24 * 768 * n}, GGML_OP_RESHAPE, {}, x.data(), "Qcur-0"};
  ggml_tensor t = q;
  t.op = GGML_OP_ROPE;
  t.src[0] = &q;
  t.src[1] = &positions;
  bool go = callback(&q, true, nullptr) && callback(&q, false, nullptr) && callback(&t, true, nullptr);
  x = y;
  t.data = q.data = x.data();
  return go && callback(&t, false, nullptr) ? 0 : 1;
}
"""


def build(folder, code):
    compiler = shutil.which("g++") or shutil.which("c++") or pytest.skip("no C++ compiler")
    (folder / "page.cpp").write_text(code, encoding="utf-8")
    subprocess.run([compiler, "-std=c++17", "-Wall", "-Werror", "-I.", "-opage", "page.cpp"], cwd=folder, check=True)
    done = subprocess.run(["./page"], cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done
    return done.stdout


def bits(numbers, bfloat16):
    raw = numbers.astype("<f4").view("<u4")
    return ((raw + 0x7FFF + (raw >> 16 & 1)) >> 16).astype("<u2") if bfloat16 else raw


@pytest.mark.parametrize("kind", ["f32", "bf16"])
def test_llama_cpp(tmp_path, kind):
    for name, text in GGML.items():
        (tmp_path / name).write_text(text)
    m = np.arange(24) + 7
    x = np.random.default_rng(0).standard_normal((24, 6, 128)).astype("f4")
    if kind == "bf16":
        x = (bits(x, True).astype("<u4") << 16).view("f4")
    y = x.copy()
    y[:, :4] = rotated(x[:, :4], m)
    bits(x, kind == "bf16").tofile(tmp_path / "in.x")
    bits(y, kind == "bf16").tofile(tmp_path / "in.y")
    m.astype("<i4").tofile(tmp_path / "in.m")
    size = {"f32": "4", "bf16": "2"}[kind]
    printed = build(tmp_path, of_page("llama.cpp", "cpp") +
                    GGML_MAIN.replace("SIZE", size).replace("{TYPE,", f"{{GGML_TYPE_{kind.upper()},"))
    assert f"--raw {kind}:ne=128,4,24" in printed
    for command in (printed, printed.replace("ne=128,4,24", "24,4,128")):
        answer = ask(tmp_path, f"{command} --model {MODEL}")
        assert answer.stdout.startswith("PASS"), answer.stdout + answer.stderr


def test_cpp(tmp_path):
    x = vectors()
    x.tofile(tmp_path / "in.x")
    rotated(x, range(24)).tofile(tmp_path / "in.y")
    build(tmp_path, of_page("C++ and anything else", "cpp") + """
int main() {
  std::vector<float> x(24 * 4 * 128), y(x.size());
  std::vector<long long> positions(24);
  for (int m = 0; m < 24; ++m) positions[m] = m;
  std::ifstream("in.x", std::ios::binary).read(reinterpret_cast<char*>(x.data()), 4 * x.size());
  std::ifstream("in.y", std::ios::binary).read(reinterpret_cast<char*>(y.data()), 4 * y.size());
  write_npy("x.npy", x.data(), "<f4", {24, 4, 128});
  write_npy("y.npy", y.data(), "<f4", {24, 4, 128});
  write_npy("positions.npy", positions.data(), "<i8", {24});
}
""")
    assert ((tmp_path / "x.npy").stat().st_size - x.nbytes) % 64 == 0  # as the format's specification requires
    assert np.array_equal(np.load(tmp_path / "x.npy"), x) and np.load(tmp_path / "positions.npy").dtype == np.int64
    command = re.search(r"`(rope verify x\.npy y\.npy [^`]*)`", TEXT)[1]
    assert ask(tmp_path, command).stdout.startswith("PASS")


def rows():
    table = section(TEXT, "What the answer means")
    return re.findall(r"^\| (?!`)([A-Z][^|]*?) +\| (\d)(?: or \d)? \|", table, re.M)


def planted(begins):
    """(x, y, what is stated) for which the answer begins as given."""
    x, m = vectors(), np.arange(24)
    noisy = x + 2e-3 * np.random.default_rng(2).standard_normal(x.shape).astype("f4")
    right, late = rotated(x, m), rotated(x, m + 1)
    few = x[:2].astype("f2")
    overrun = right.copy()
    overrun[16:] = np.random.default_rng(4).standard_normal(overrun[16:].shape)
    table = rope_check.table("llama-3", m, layout="half")
    cos, sin = (np.repeat(part, 2, -1).astype("f4")[:, None] for part in (table.cos, table.sin))
    first, second = np.split(x, 2, -1)
    inv_freq = bits(np.array(rope_check.golden(MODEL).inv_freq), True).astype("<u4") << 16
    coarse = rotated(x, m, model=None, frequencies=inv_freq.view("<f4").tolist())
    return {"PASS": (x, right), "FAIL": (x, late), "INCONCLUSIVE": (noisy, right), "What you state fits": (x, right),
            "What you state fits along axis N if positions start at M, not 0": (x, late),
            "One convention explains these tensors along axis N, not the one you assume": (x, late),
            "What you state fits only if": (x, coarse),
            "What you state fits all but N of M numbers": (x, overrun),
            "What you state comes closest": (noisy, right),
            "The closest fit is not what you assume": (noisy, late),
            "N conventions explain these tensors": (few, rotated(few.astype("f4"), m[:2] + 1).astype("f2")),
            "One convention explains these tensors, with something still open":
                (x[:1], rotated(x[:1], [25])),
            "No convention explains these tensors": (x, np.random.default_rng(3).standard_normal(x.shape).astype("f4")),
            "The result is the input": (x, x),
            "No rotation explains these tensors, but this does":
                (x, x * cos + np.concatenate([-second, first], -1) * sin)}[begins]


@pytest.mark.parametrize("begins, code", rows())
def test_answers(begins, code, tmp_path):
    x, y = planted(begins)
    given = {} if " if positions " in begins else {"positions": np.arange(len(x)) + {24: 0, 2: 1, 1: 24}[len(x)]}
    np.savez(tmp_path / "port.npz", q_pre=x, q_rot=y, **given)
    command = commands()[0 if begins.isupper() else 1]
    if begins.startswith("N conv"):
        command = "rope diagnose port.npz"
    answer = ask(tmp_path, command)
    assert re.match(re.sub(r"\b[NM]\b", r"\\d+", begins), sentence(answer)), answer.stdout
    assert answer.returncode == int(code)


def test_every_answer_is_planted():
    assert len(rows()) == 15


def test_a_missing_permutation(tmp_path):
    """x from a port with Meta's order of rows, y from a reference with halves."""
    x = vectors()
    order = np.stack([np.arange(64), np.arange(64) + 64], -1).reshape(-1)
    np.savez(tmp_path / "port.npz", q_pre=x[..., order], q_rot=rotated(x, range(24)), positions=np.arange(24))
    assert "rope convert model.safetensors --from interleaved --to half" in sentence(ask(tmp_path, commands()[1]))


def test_q_and_k_together(tmp_path):
    x = vectors()
    for name, y in (("q", rotated(x, range(24))), ("k", rotated(x, range(24), model="llama-3"))):
        np.save(tmp_path / f"{name}_x.npy", x)
        np.save(tmp_path / f"{name}_y.npy", y)
    answer = ask(tmp_path, re.search(r"`(rope diagnose --input q_x[^`]*)`", TEXT)[1])
    assert answer.returncode == 1 and sentence(answer).startswith("Tensors 1 and 2 differ in frequencies")


def test_the_token_after_the_prompt(tmp_path):
    x = vectors(1)
    for position, expected in ((24, "PASS"), (25, "FAIL")):
        np.savez(tmp_path / "port.npz", q_pre=x, q_rot=rotated(x, [position]), positions=np.array([24]))
        assert ask(tmp_path, commands()[0]).stdout.startswith(expected)
