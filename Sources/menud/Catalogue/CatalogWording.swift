import JSONText
import MenuAPI
import MenuEngine

extension CatalogFault: CustomStringConvertible {
  /// The mistake as one line: the file, the place in it, and a sentence.
  var description: String {
    switch self {
    case .noParts(let folder): "\(folder): It is no folder with \(Self.partNames)."
    case .file(let fault): "\(fault)"
    case .document(let path, let fault):
      "\(fault.pointer.place(in: path)): \(fault.problem.sentence)"
    }
  }

  private static var partNames: String {
    CatalogDocument.Part.allCases.map { "\($0.rawValue).json" }.joined(separator: ", ")
  }
}
