/// The rows of cells and the cursor that the editor shows.
///
/// A frame may be higher than the window.
struct Frame: Equatable {
  var rows: [Row] = [Row()]
  var cursor = ScreenPosition()
  /// The position where the text ends.
  ///
  /// Hints after and below it are not part of the text.
  var textEnd = ScreenPosition()
}
