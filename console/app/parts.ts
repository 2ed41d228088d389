/** Each part loads by itself, and is named here so that it is requested before anything can draw it. */
export const loadShell = async () => {
  const [{ Shell }, { gatherBegun }] = await Promise.all([
    import('./Shell.tsx'),
    import('#console/lib/call/useCall.ts'),
  ])
  await gatherBegun()
  return Shell
}
export const loadLogin = () => import('./LoginPage.tsx').then((part) => part.LoginPage)
export const loadKit = () => import('#console/ui/kit/Kit.tsx').then((part) => part.Kit)
