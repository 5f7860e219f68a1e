"""ONNX Runtime's beam search, in C++ and float32, over a model of a few ONNX nodes.

The operator runs a decoder subgraph with the inputs and outputs of GPT-2's. Here its logits
are looked up in a table by position and last token; the cache of keys and values, which it
must have, is filled with the ids and never read.

Source: com.microsoft.BeamSearch in docs/ContribOperators.md of
https://github.com/microsoft/onnxruntime.
"""

import numpy as np
import onnxruntime
from onnx import TensorProto, helper, numpy_helper

IMPOSSIBLE = -1e30  # a log-probability; −inf would turn to NaN
NO_HYPOTHESIS = -1e6  # it starts the other beams at −1e9, where they stay if there are too few


def beam_search(table, first, width, num_tokens, length_penalty, stop_token):
    """Returns the `width` best: [(tokens, score)], those with impossible tokens left out.

    Args:
        table: [num_tokens, vocab, vocab] next-token laws by position and last token.
        first: the one id of the prompt.
        width, num_tokens, length_penalty, stop_token: as for `specdec.beam.beam_search`.
    """
    inputs = {
        "input_ids": np.int32([[first]]), "max_length": np.int32([num_tokens + 1]),
        "min_length": np.int32([0]), "num_beams": np.int32([width]),
        "num_return_sequences": np.int32([width]),
        "length_penalty": np.float32([length_penalty]), "repetition_penalty": np.float32([1])}
    sequences, scores = _session(table, inputs, stop_token).run(None, inputs)
    found = []
    for sequence, score in zip(sequences[0, :, 1:].tolist(), scores[0].tolist(), strict=True):
        if stop_token in sequence:  # what follows is padding
            sequence = sequence[:sequence.index(stop_token) + 1]
        if score > NO_HYPOTHESIS:
            found.append((tuple(sequence), score))
    return found


def _session(table, inputs, stop_token):
    vocab = table.shape[-1]
    node = helper.make_node(
        "BeamSearch", list(inputs), ["sequences", "scores"], domain="com.microsoft",
        decoder=_decoder(table), eos_token_id=stop_token, pad_token_id=stop_token,
        model_type=0, early_stopping=0, no_repeat_ngram_size=0, vocab_size=vocab)
    graph = helper.make_graph(
        [node], "search", [_tensor(name, value.dtype, value.ndim)
                           for name, value in inputs.items()],
        [_tensor("sequences", np.int32, 3), _tensor("scores", np.float32, 2)])
    model = helper.make_model(graph, ir_version=10, opset_imports=[
        helper.make_opsetid("", 17), helper.make_opsetid("com.microsoft", 1)])
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    return onnxruntime.InferenceSession(
        model.SerializeToString(), options, providers=["CPUExecutionProvider"])


def _decoder(table):
    num_tokens, vocab, _ = table.shape
    logits = np.log(table, out=np.full(table.shape, IMPOSSIBLE), where=table > 0)
    constants = {"table": np.float32(logits.reshape(num_tokens * vocab, vocab)),
                 "vocab": np.int32(vocab), "axes": np.int64([0, 2, 4])}
    nodes = [
        helper.make_node("Mul", ["position_ids", "vocab"], ["offset"]),
        helper.make_node("Add", ["offset", "input_ids"], ["place"]),
        helper.make_node("Gather", ["table", "place"], ["logits"]),
        helper.make_node("Cast", ["input_ids"], ["ids"], to=TensorProto.FLOAT),
        helper.make_node("Unsqueeze", ["ids", "axes"], ["keys"]),
        helper.make_node("Concat", ["keys", "keys"], ["new"], axis=0),
        helper.make_node("Concat", ["past_0", "new"], ["present_0"], axis=3)]
    cache = [2, "batch", 1, "length", 1]
    return helper.make_graph(
        nodes, "decoder",
        [_tensor("input_ids", np.int32, 2), _tensor("position_ids", np.int32, 2),
         _tensor("attention_mask", np.int32, 2),
         helper.make_tensor_value_info("past_0", TensorProto.FLOAT, cache)],
        [helper.make_tensor_value_info("logits", TensorProto.FLOAT, ["batch", "rows", vocab]),
         helper.make_tensor_value_info("present_0", TensorProto.FLOAT, [*cache[:3], "all", 1])],
        [numpy_helper.from_array(value, name) for name, value in constants.items()])


def _tensor(name, dtype, num_axes):
    kind = helper.np_dtype_to_tensor_dtype(np.dtype(dtype))
    return helper.make_tensor_value_info(name, kind, [f"{name}_{i}" for i in range(num_axes)])
