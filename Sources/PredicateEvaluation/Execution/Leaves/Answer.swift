/// What a leaf of a program answers.
enum Answer: UInt8 {
    case no
    case yes
    /// The program does not know: the plan is asked, which may end in an error.
    case unknown

    @inline(__always)
    init(_ holds: Bool) {
        self = holds ? .yes : .no
    }
}
