/** Where menus, toasts and dialogs are drawn: what lies outside of all landmarks is lost to people who go by them. */
export const noticesLandmark = (): Element =>
  document.querySelector('[data-mantine-shared-portal-node]') ?? document.body
