"""How Moot reaches models: members by one string each, retries, limits, prices, embeddings, documents.

    providers, members, discovery   which strings name a model, and which are used when none is given
    keys                            a provider's key, kept out of sight
    client, troubles, retries       one HTTP client per endpoint; what can go wrong; what is tried again
    requests, replies               a call as OpenAI's HTTP has it, and what came back
    openai_compatible               the model behind such an endpoint
    embedded_model, embedded        the model that Moot runs by itself
    scripted                        members that follow a script, and the one that makes no call
    pricing, embeddings             what a call costs; vectors
    gateway                         all of it wired: a string in, a model out
    documents, reading              files as named texts

Nothing is imported here, so that reading a document or a member's string loads no HTTP client.
"""
