interface ProviderAttempt {
  readonly attempt: string
  readonly wanted: string
}

/** Session storage belongs to this tab alone, and ends with it. */
const STORAGE_KEY = 'wayside.attempt'

export function keepAttempt(begun: ProviderAttempt) {
  sessionStorage.setItem(STORAGE_KEY, JSON.stringify(begun))
}

/** An attempt can be taken once, because any answer ends it. */
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
