import { listStatusPages, rotateStatusAddress, setStatusPage } from '#contract/http/alerting/statusPages.ts'
import { type Route, route } from '#server/http/call/route.ts'
import type { StatusPages } from './statusPages.service.ts'

export const statusPageRoutes = (pages: StatusPages): readonly Route[] => [
  route(listStatusPages, ({ caller }) => pages.list(caller)),
  route(setStatusPage, ({ body, caller, change }) => pages.set(body, caller, change)),
  route(rotateStatusAddress, ({ body, caller, change }) => pages.rotate(body.customerId, caller, change)),
]
