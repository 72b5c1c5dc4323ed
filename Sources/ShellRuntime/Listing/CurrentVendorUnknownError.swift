/// The error for a condition with `me` when the current vendor isn't known.
package struct CurrentVendorUnknownError: Error {}
