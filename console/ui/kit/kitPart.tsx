import type { ComponentType } from 'react'
import { type LazyPart, lazyPart } from '#console/ui/lazyPart.tsx'

/** A part that is drawn with the kit, where the page around it does without: both are fetched when it is first shown. */
export function kitPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  meanwhile?: ComponentType<Props>,
): LazyPart<Props> {
  const loadBoth = async () => {
    const [{ Kit }, Part] = await Promise.all([import('./Kit.tsx'), load()])
    return (props: Props) => (
      <Kit>
        <Part {...props} />
      </Kit>
    )
  }
  return lazyPart(loadBoth, meanwhile === undefined ? {} : { meanwhile })
}
