/** People who navigate by landmarks would miss menus, toasts and dialogs outside them. */
export const noticesLandmark = (): Element =>
  document.querySelector('[data-mantine-shared-portal-node]') ?? document.body
