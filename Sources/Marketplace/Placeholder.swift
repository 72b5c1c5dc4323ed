// Marketplace
