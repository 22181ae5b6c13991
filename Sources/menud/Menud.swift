@main struct Menud { static func main() {} }
