import { deleteRelease, listReleases, uploadRelease } from '#contract/http/software/releases.ts'
import { type Route, route } from '#server/http/call/route.ts'
import type { ReleaseService } from './releases.service.ts'

export const releaseRoutes = (releases: ReleaseService): readonly Route[] => [
  route(listReleases, () => releases.list()),
  route(uploadRelease, ({ body, caller, change }) => releases.upload(body, caller, change)),
  route(deleteRelease, ({ query, caller, change }) => releases.remove(query.id, caller, change)),
]
