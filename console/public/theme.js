// Before anything is drawn, so that a light page never flashes dark. A file of its own: inline scripts are forbidden.
;(() => {
  let theme = null
  try {
    theme = localStorage.getItem('wayside.theme')
  } catch {
    // Storage is blocked: the default it is.
  }
  document.documentElement.setAttribute('data-mantine-color-scheme', theme === 'white' ? 'light' : 'dark')
})()
