import type { Page } from '#console/router/Router.tsx'
import type { LazyPart } from '#console/ui/lazyPart.tsx'

/** It loads the code of a page and of what stands around it. */
export async function fetchParts({ within = [], screen }: Page): Promise<void> {
  await Promise.all([...within, screen].map((part) => (part as Partial<LazyPart<object>>).preload?.()))
}
