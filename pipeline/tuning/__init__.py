"""House rules tuned from data: what may change, what it is to bring, and what it really brings.

A *candidate* is the parent's rules with some *knobs* set. An *objective* is a function from
results to a figure with its error; it does not know that it is being tuned. What a candidate
does to the objectives is read off stored games (*re-scoring*: the play stays, the points do not)
or off games played anew by players who plan under the candidate's rules (*re-simulating*).
"""
