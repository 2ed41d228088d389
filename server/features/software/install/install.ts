import { getInstallPackages } from '#contract/http/software/installPackages.ts'
import type { Given } from '#server/features/feature.ts'
import { route } from '#server/http/call/route.ts'
import { installFolder } from '#server/http/pages/installDownloads.ts'
import { readInstallFolder } from './readInstallFolder.ts'

type InstallDeps = Pick<Given, 'config' | 'addresses'> & {
  readonly releaseKeys: () => Promise<readonly string[]>
}

/** Offers the packages that `npm run installer` has put into the data folder. */
export const installFeature = ({ config, addresses, releaseKeys }: InstallDeps) => ({
  routes: [
    route(getInstallPackages, async () => ({
      ...(await readInstallFolder(installFolder(config.dataFolder), await releaseKeys())),
      serverUrl: addresses().httpUrl,
    })),
  ],
})
