/** The first pages and the frame of all others need these. */
export const startMessages = {
  signOutUnsent: (count: number) => ({
    title: 'Sign out',
    text: `${count === 1 ? 'One visit is' : `${count} visits are`} not sent yet. Sign out and remove what this device keeps?`,
  }),
  loginFailed: 'Login Failed: Your username or password is incorrect',
  sessionExpired: 'Your session has ended. Please sign in again.',
  notProved: 'Nothing was changed, because you did not confirm your identity.',
  networkTrouble: 'The server cannot be reached. Please check your connection and try again.',
  unexpectedAnswer: (status: number) => `The server gave an unexpected answer (${status}). Please try again.`,
  somethingFailed: 'Something went wrong. Please try again.',
  signInTookTooLong: 'This took too long. Please sign in again.',
  newVersion: 'A new version of Wayside is available. Reload the page to continue.',
  partNotLoaded: 'This part of the console could not be loaded. Please check your connection and try again.',
  noData: 'No data',
  pageNotFound: 'Page not found',
  noPermissions: 'You do not have permission to see this page.',
} as const
