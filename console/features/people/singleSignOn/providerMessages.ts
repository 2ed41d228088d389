export const providerMessages = {
  none: "People with an e-mail address in a provider's domain sign in through it and get the role it assigns.",
  saved: 'The identity provider is saved.',
  deleted: 'The identity provider is deleted.',
  confirmDelete: (name: string) =>
    `Delete "${name}"? People who signed in through it are signed out. Their accounts stay and need a password.`,
  noClaims: 'This is no JSON object.',
  noRole: 'No rule matches: people with these claims cannot sign in.',
  role: (name: string) => `People with these claims get the role "${name}".`,
  mail: {
    'no-mail': 'They have no e-mail address, so a new person cannot be recognized.',
    unverified: 'Their e-mail address is not verified, so a new person cannot be recognized.',
    'other-domain': 'Their e-mail address is in none of the domains, so a new person cannot be recognized.',
  },
} as const
