/**
 * Menus, toasts and dialogs are drawn within a landmark, because people who navigate by landmarks miss everything
 * outside them.
 */
export const noticesLandmark = (): Element =>
  document.querySelector('[data-mantine-shared-portal-node]') ?? document.body
