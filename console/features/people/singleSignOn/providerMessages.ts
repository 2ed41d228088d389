export const providerMessages = {
  none: 'Whoever has a mail address of a domain of a provider signs in by it, and has here the role that it says.',
  saved: 'The identity provider is saved.',
  deleted: 'The identity provider is deleted.',
  confirmDelete: (name: string) =>
    `Delete "${name}"? Whoever signed in by it is signed out. Their accounts stay, and need a password.`,
  noClaims: 'This is no JSON object.',
  noRole: 'No rule fits: whoever has these claims cannot sign in.',
  role: (name: string) => `Whoever has these claims gets the role "${name}".`,
  mail: {
    'no-mail': 'They have no mail address, so nobody new is known by them.',
    unverified: 'Their mail address is not verified, so nobody new is known by it.',
    'other-domain': 'Their mail address is of none of the domains, so nobody new is known by it.',
  },
} as const
