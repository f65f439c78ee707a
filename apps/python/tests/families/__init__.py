"""Tiny models whose rotations have the signatures of Hugging Face transformers, one family per file."""
