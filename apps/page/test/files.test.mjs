// Which of two dropped arrays stands before the rotation.
import assert from 'node:assert/strict';
import test from 'node:test';
import { beforeFirst } from '../src/files.js';

const order = (...names) => beforeFirst(names.map((name) => ({ name }))).map((file) => file.name);

test('their names say it, in whatever order they were dropped', () => {
  for (const [before, after] of [['hf_q_pre.npy', 'hf_q_post.npy'], ['before.npy', 'after.npy'], ['q_x.npy', 'q_y.npy'],
    ['in.npy', 'out.npy'], ['input.npy', 'result.npy'], ['layer0-pre.npy', 'layer0-post.npy'], ['half-1.npy', 'half-2.npy']]) {
    assert.deepEqual(order(before, after), [before, after]);
    assert.deepEqual(order(after, before), [before, after]);
  }
});

test('where they do not, the order in which they were given counts', () => {
  for (const names of [['q.npy', 'a.npy'], ['b.npy', 'rotated.npy'], ['x_y.npy', 'y_x.npy']]) {
    assert.deepEqual(order(...names), names);
    assert.deepEqual(order(...names.reverse()), names);
  }
});
