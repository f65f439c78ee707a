"""capture() on tiny random models of the real transformers, if it is installed: what test_capture.py checks on our own models also holds here."""

import pytest

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")
import rope_check  # noqa: E402

SIZES = {"hidden_size": 64, "intermediate_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4, "vocab_size": 100,
         "max_position_embeddings": 512, "pad_token_id": 0}
GROUPS = {**SIZES, "num_key_value_heads": 2}
LATENT = {**SIZES, "num_key_value_heads": 4, "first_k_dense_replace": 2, "q_lora_rank": 16, "kv_lora_rank": 16,
          "qk_rope_head_dim": 16, "qk_nope_head_dim": 8, "v_head_dim": 16}
GPT = {"n_embd": 64, "n_layer": 2, "n_head": 4, "vocab_size": 100, "n_positions": 512, "rotary_dim": 8}
MODELS = {
    "llama": GROUPS, "mistral": GROUPS, "qwen2": GROUPS, "qwen3": {**GROUPS, "head_dim": 16}, "olmo2": GROUPS,
    "gemma": {**GROUPS, "head_dim": 16}, "gemma2": {**GROUPS, "head_dim": 16}, "cohere": GROUPS, "glm": GROUPS,
    "gemma3_text": {**GROUPS, "head_dim": 16, "num_hidden_layers": 7, "sliding_window": 8},
    "gpt_neox": SIZES, "gptj": GPT, "codegen": GPT, "falcon": SIZES, "phi": SIZES, "stablelm": GROUPS,
    "phi3": {**GROUPS, "original_max_position_embeddings": 512}, "persimmon": SIZES,
    "gpt_oss": {**GROUPS, "head_dim": 16, "num_local_experts": 2, "num_experts_per_tok": 1},
    "deepseek_v2": LATENT, "deepseek_v3": LATENT, "roformer": SIZES,
    "llama4_text": {**GROUPS, "head_dim": 16, "num_local_experts": 2, "intermediate_size_mlp": 64},
    "qwen2_vl_text": {**GROUPS, "rope_parameters": {"rope_type": "default", "rope_theta": 10000.0,
                                                    "mrope_section": [2, 3, 3]}},
}


@pytest.mark.parametrize("name", MODELS)
def test_every_layer_is_what_its_config_asks_for(name):
    torch.manual_seed(0)
    try:
        config = transformers.AutoConfig.for_model(name, **MODELS[name])
        model = transformers.AutoModel.from_config(config).eval()
    except ValueError as error:
        if "Unrecognized model" not in str(error):
            raise
        pytest.skip("this version does not know the model")
    ids = torch.arange(4, 28).reshape(2, 12)
    with torch.no_grad():
        expected = model(ids)[0]
        with rope_check.capture(model) as captured:
            result = model(ids)[0]
    assert torch.equal(result, expected)
    assert len(captured) >= config.num_hidden_layers - 1  # one layer of four may not rotate
    for each in captured:
        assert each.replaced_by is None
        for which in "qk":
            assert each.verify(which).passed, each.verify(which)
            assert each.diagnose(which).stated == "fits", each.diagnose(which)
