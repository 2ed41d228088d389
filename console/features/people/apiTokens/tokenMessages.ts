export const tokenMessages = {
  none: 'No API tokens yet',
  whatFor:
    'A program signs in with a token: a script, a wall screen, a ticket system. It does only what it was made for.',
  shownOnce: 'Copy it now: it is shown this once. Whoever has it may do what it was made for, until it is revoked.',
  limits: 'It never may do more than you may at that moment, and it cannot sign in, make tokens or change people.',
  revoked: (name: string) => `The API token “${name}” is revoked.`,
  confirmRevoke: (name: string) =>
    `Revoke the API token “${name}”? The next request of whatever uses it is refused, and it cannot be taken back.`,
} as const
