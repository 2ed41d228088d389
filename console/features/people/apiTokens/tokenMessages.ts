export const tokenMessages = {
  none: 'No API tokens yet',
  whatFor:
    'A program signs in with a token: a script, a wall screen, a ticket system. It can do only what you allow it.',
  shownOnce: 'Copy it now: it is shown this once. Anyone with the token can use it until it is revoked.',
  limits: 'It can never do more than you can at that moment, and it cannot sign in, create tokens or change people.',
  revoked: (name: string) => `The API token “${name}” is revoked.`,
  confirmRevoke: (name: string) =>
    `Revoke the API token “${name}”? The next request that uses it is refused. This cannot be undone.`,
} as const
