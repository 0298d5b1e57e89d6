"""Turn cycles: who is asked when. What a seat may do, and what it is worth, the variant's hooks say."""
