"""Evaluates rules with an evaluator of PyPI's as often as standard input says, and answers what
that took.

The first line is the state, the second an array of rules; a line with the name of the evaluator
says that they are compiled. Each further line is a question and has one line for an answer:
`value RULE` has JSON or `none WHY`, `time RULE COUNT` the nanoseconds of so many evaluations,
without those of the loop around them.

    evaluate_rules.py cel-expr-python call        one call from Python for each evaluation
    evaluate_rules.py cel-expr-python within      many evaluations within one call
"""

import importlib.metadata
import itertools
import json
import resource
import sys
import time

# How many evaluations one call does that does many.
BATCH = 1000

# The wheel of C++ keeps what evaluations produce for as long as the variables are bound: they are
# bound anew after so many evaluations, which is not measured.
EVALUATIONS_PER_BINDING = 10_000

# In bytes. No evaluator comes near it that releases its memory.
MEMORY_LIMIT = 2 << 30


class CelExprPython:
    """The wheel around the implementation of the language in C++."""

    def __init__(self, state):
        from cel_expr_python import cel
        from cel_expr_python.ext.ext_optional import ExtOptional

        self.error = cel.Type.ERROR
        names = {"state": cel.Type.DYN, "batch": cel.Type.DYN}
        self.environment = cel.NewEnv(variables=names, extensions=[ExtOptional()])
        self.variables = {"state": state, "batch": list(range(BATCH))}

    def bind(self):
        return self.environment.Activation(self.variables)

    def compile(self, source):
        return self.environment.compile(source).eval

    def value(self, evaluate):
        result = evaluate(self.bind())
        if result.type() == self.error:
            raise ValueError(str(result.value()))
        return result.plain_value()


class CommonExpressionLanguage:
    """The wheel around an implementation in Rust."""

    def __init__(self, state):
        import cel

        self.module = cel
        self.variables = {"state": state, "batch": list(range(BATCH))}

    def bind(self):
        return self.module.Context(self.variables)

    def compile(self, source):
        return self.module.compile(source).execute

    def value(self, evaluate):
        return evaluate(self.bind())


EVALUATORS = {
    "cel-expr-python": CelExprPython,
    "common-expression-language": CommonExpressionLanguage,
}


class Rule:
    """A rule compiled for one evaluator, or why it cannot be evaluated."""

    def __init__(self, evaluator, source, state, is_within):
        self.evaluator = evaluator
        self.per_call = BATCH if is_within else 1
        self.overhead = None
        self.fault = None
        try:
            self.evaluate = evaluator.compile(source)
            self.value = evaluator.value(self.evaluate)
            if is_within:
                self.loop_within(source, state)
        except Exception as fault:  # Whatever an evaluator throws, it has no value.
            self.fault = " ".join(str(fault).split())[:200]

    def loop_within(self, source, state):
        """Puts the loop into the rule; the state is a map of the language then, not of Python."""
        value = json.dumps(self.value, ensure_ascii=False)
        loop = f"[{json.dumps(state, ensure_ascii=False)}].all(state, batch.all(n, %s))"
        self.evaluate = self.evaluator.compile(loop % f"({source}) == {value}")
        self.overhead = self.evaluator.compile(loop % f"{value} == {value}")
        for whole in (self.evaluate, self.overhead):
            if self.evaluator.value(whole) is not True:
                raise ValueError("another value within a loop")

    def time(self, count):
        calls = max(count // self.per_call, 1)
        spent = self.spent(self.evaluate, calls)
        spent -= self.spent(self.overhead, calls) if self.overhead else empty_loop(calls)
        return spent * count // (calls * self.per_call)

    def spent(self, evaluate, calls):
        spent = 0
        per_binding = EVALUATIONS_PER_BINDING // self.per_call
        for start in range(0, calls, per_binding):
            activation = self.evaluator.bind()
            before = time.thread_time_ns()
            for _ in itertools.repeat(None, min(per_binding, calls - start)):
                evaluate(activation)
            spent += time.thread_time_ns() - before
        return spent


def empty_loop(calls):
    before = time.thread_time_ns()
    for _ in itertools.repeat(None, calls):
        pass
    return time.thread_time_ns() - before


def answer(line):
    print(line, flush=True)


def main(name, mode):
    if mode not in ("call", "within"):
        sys.exit(f"no mode: {mode}")
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_LIMIT, MEMORY_LIMIT))
    state = json.loads(input())
    evaluator = EVALUATORS[name](state)
    rules = [Rule(evaluator, source, state, mode == "within") for source in json.loads(input())]
    answer(f"{name} {importlib.metadata.version(name)}")

    for line in sys.stdin:
        question, *numbers = line.split()
        rule = rules[int(numbers[0])]
        if question == "value":
            answer(f"none {rule.fault}" if rule.fault else json.dumps(rule.value))
        elif question == "time":
            answer(rule.time(int(numbers[1])))
        else:
            sys.exit(f"no question: {line}")


if __name__ == "__main__":
    main(*sys.argv[1:])
