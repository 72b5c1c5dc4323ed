import Catalog

/// Thrown where a plan would be asked about and written, when only its requests are wanted.
struct ForetoldPlan: Error {
  let plan: Plan
}
