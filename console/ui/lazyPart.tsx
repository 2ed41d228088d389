import { IconCloudOff, IconRefresh } from '@tabler/icons-react'
import { type ComponentType, startTransition, useEffect, useState } from 'react'
import { startMessages } from '#console/lib/call/startMessages.ts'
import { toasts } from '#console/lib/call/toasts.ts'
import { findNewVersion, reloadOnceFor } from '#console/lib/newVersion.ts'
import { PageNote } from './page/PageNote.tsx'
import { PlainButton } from './plain/PlainButton.tsx'
import { Skeleton } from './Skeleton.tsx'

/** A part that has not been loaded by then has failed (rules/limits 4). */
const PART_LOAD_WITHIN_MS = 120_000

/** `outdated` means that the server has another version by now, which has other parts. */
type Loaded<Props> = { readonly kind: 'loading' | 'failed' | 'outdated' } | Ready<Props>
interface Ready<Props> {
  readonly kind: 'ready'
  readonly Part: ComponentType<Props>
}

export type LazyPart<Props> = ComponentType<Props> & {
  /**
   * It loads the part.
   *
   * @returns why it cannot be drawn, or undefined when it can
   */
  readonly preload: () => Promise<string | undefined>
  readonly isHere: () => boolean
}

interface Options<Props> {
  readonly withinMs?: number
  readonly meanwhile?: ComponentType<Props>
}

/**
 * It loads a part of the console when that is first shown: `lazyPart(() => import('./X.tsx').then((m) => m.X))`. A part
 * that cannot be loaded within the limit says so and offers to try again. After an upgrade of the server the page is
 * reloaded, automatically where nobody loses anything by it.
 *
 * `React.lazy` is not used: React keeps a `Suspense` fallback on the screen for 300 ms even if the part arrives after
 * 20, and remembers a failed import for good (docs/decisions/0277).
 */
export function lazyPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  { withinMs = PART_LOAD_WITHIN_MS, meanwhile: Meanwhile }: Options<Props> = {},
): LazyPart<Props> {
  let ready: Ready<Props> | undefined
  const loadOnce = async (): Promise<Loaded<Props>> => {
    try {
      ready = { kind: 'ready', Part: await within(load(), withinMs) }
      return ready
    } catch {
      const version = await findNewVersion()
      if (version === undefined) return { kind: 'failed' }
      return { kind: reloadOnceFor(version) ? 'loading' : 'outdated' }
    }
  }

  function LazyPart(props: Props) {
    const [part, setPart] = useState<Loaded<Props>>(() => ready ?? { kind: 'loading' })
    const [attempt, setAttempt] = useState(1)

    // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt loads again
    useEffect(() => {
      if (ready) return setPart(ready)
      let isGone = false
      // A part may be large, and is drawn in pieces of a few milliseconds.
      void loadOnce().then((loaded) => {
        if (!isGone) startTransition(() => setPart(loaded))
      })
      return () => {
        isGone = true
      }
    }, [attempt])

    if (part.kind === 'ready') return <part.Part {...props} />
    if (part.kind === 'loading') return Meanwhile ? <Meanwhile {...props} /> : <Skeleton />
    const tryAgain = () => {
      // Some browsers remember a failed import for the life of the page.
      if (attempt > 1) return window.location.reload()
      setPart({ kind: 'loading' })
      setAttempt(attempt + 1)
    }
    return part.kind === 'outdated' ? <PartOutdated /> : <PartFailed onRetry={tryAgain} />
  }
  const preload = async () => {
    const { kind } = ready ?? (await loadOnce())
    if (kind === 'outdated') return startMessages.newVersion
    return kind === 'failed' ? startMessages.partNotLoaded : undefined
  }
  return Object.assign(LazyPart, { preload, isHere: () => ready !== undefined })
}

function PartFailed({ onRetry }: { readonly onRetry: () => void }) {
  return (
    <PageNote
      icon={<IconCloudOff size={36} stroke={1.4} aria-hidden />}
      title="Could not be loaded"
      text={startMessages.partNotLoaded}
    >
      <PlainButton icon={<IconRefresh size={14} aria-hidden />} onClick={onRetry}>
        Try again
      </PlainButton>
    </PageNote>
  )
}

function PartOutdated() {
  return (
    <PageNote
      icon={<IconRefresh size={36} stroke={1.4} aria-hidden />}
      title="New version"
      text={startMessages.newVersion}
    >
      <PlainButton icon={<IconRefresh size={14} aria-hidden />} onClick={() => window.location.reload()}>
        Reload
      </PlainButton>
    </PageNote>
  )
}

/**
 * A menu or a dialog is loaded by its first use: it returns whether it can be drawn, and a function that loads it. A
 * failure is shown as a toast, and the next use tries again.
 */
export function useFirstUse<Props>(
  part: LazyPart<Props>,
  onFailure?: () => void,
): readonly [boolean, () => Promise<void>] {
  const [isHere, setHere] = useState(false)
  const reach = async () => {
    const trouble = await part.preload()
    if (trouble === undefined) return setHere(true)
    toasts.error(trouble)
    onFailure?.()
  }
  return [isHere, reach]
}

function within<T>(work: Promise<T>, limitMs: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`not loaded within ${limitMs} ms`)), limitMs)
    work.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
