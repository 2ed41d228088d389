export const CODE_LABEL = 'Code'

export const codeHint = (hasRecoveryCodes: boolean): string =>
  hasRecoveryCodes ? 'From your authenticator app, or a recovery code.' : 'From your authenticator app.'
