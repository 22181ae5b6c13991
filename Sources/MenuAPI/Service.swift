package import MenuStore
/// Stub to be replaced.
package struct Service { package let store: SessionStore }
