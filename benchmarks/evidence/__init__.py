"""Evidence: sampled once by a plan that was fixed before, every arm computed from that pool.

python -m benchmarks.evidence plan     fix items, prompts, rules, hypothesis and goals in plan.json
python -m benchmarks.evidence run      sample and read, item by item; it can be killed at any moment and goes on
python -m benchmarks.evidence tables   compute all figures from the rows and write them into docs/results.md
"""
