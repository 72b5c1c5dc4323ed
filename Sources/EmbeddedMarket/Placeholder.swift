// EmbeddedMarket
