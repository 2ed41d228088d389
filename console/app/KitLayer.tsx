import { Outlet } from '#console/router/Router.tsx'
import { Kit } from '#console/ui/kit/Kit.tsx'

/** Around screens that are made of parts of the kit. */
export function KitLayer() {
  return (
    <Kit>
      <Outlet />
    </Kit>
  )
}
