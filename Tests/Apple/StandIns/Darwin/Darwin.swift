/// The C library of Apple's platforms: that of Linux, with the names that only Apple's has.
#if canImport(Glibc)
    @_exported import Glibc
#else
    @_exported import Musl
#endif

extension stat {
    public var st_ctimespec: timespec { st_ctim }
    public var st_mtimespec: timespec { st_mtim }
}

/// The handler of a signal.
public struct __sigaction_u {
    public var __sa_handler: (@convention(c) (Int32) -> Void)!
}

extension sigaction {
    public var __sigaction_u: __sigaction_u {
        get { Darwin.__sigaction_u() }
        set {}
    }
}
