"""The paper's own form: members write steps, and the program makes a graph of them (interrogation 4.2)."""
