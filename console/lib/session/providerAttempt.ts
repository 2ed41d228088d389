/** What this tab has begun at an identity provider, and where its user wants to be afterwards. */
interface ProviderAttempt {
  readonly attempt: string
  readonly wanted: string
}

/** Of this tab alone, and gone with it. */
const STORAGE_KEY = 'wayside.attempt'

export function keepAttempt(begun: ProviderAttempt) {
  sessionStorage.setItem(STORAGE_KEY, JSON.stringify(begun))
}

/** Once: an attempt is ended by whatever came back. */
export function takeAttempt(): ProviderAttempt | undefined {
  const text = sessionStorage.getItem(STORAGE_KEY)
  sessionStorage.removeItem(STORAGE_KEY)
  try {
    const { attempt, wanted } = JSON.parse(text ?? '{}') as Partial<ProviderAttempt>
    return typeof attempt === 'string' ? { attempt, wanted: typeof wanted === 'string' ? wanted : '' } : undefined
  } catch {
    return undefined
  }
}
