// The container of the extension, as JupyterLab loads it (module federation): JupyterLab hands over the modules that it
// shares, and takes the plugin. It is written by hand: a browser loads the extension's modules, without a bundler.

{
  const folder = document.currentScript.src
  const name = 'menud-jupyterlab'
  let scope

  /** A module of JupyterLab, in the version that it has loaded. */
  const shared = async (name) => {
    const versions = Object.values(scope[name])
    return (await (versions.find(({ loaded }) => loaded) ?? versions[0]).get())()
  }

  globalThis._JUPYTERLAB ??= {}
  globalThis._JUPYTERLAB[name] = {
    init: (modules) => { scope = modules },
    get: async () => {
      const names = ['@jupyterlab/apputils', '@jupyterlab/mainmenu', '@jupyterlab/settingregistry', '@lumino/widgets']
      const { makePlugin } = await import(new URL('extension.js', folder))
      const modules = await Promise.all(names.map(shared))
      const plugin = makePlugin(`${name}:plugin`, Object.assign({}, ...modules))
      return () => plugin
    },
  }
}
