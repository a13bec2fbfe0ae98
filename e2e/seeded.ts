import { demoExperiments } from '@ensaio/domain/demo'
import type { Page } from '@playwright/test'
import { newPerson, onOwnServer, type Person } from './fixtures.ts'
import { seed } from './seed.ts'

/** What the server of these tests holds. */
export const STORED = demoExperiments()

/** One server filled once for all the tests of a file. */
export const test = onOwnServer().extend<object, { owner: Person }>({
  owner: [
    async ({ server }, use) => {
      const owner = await newPerson(server.url, 'Dona dos Ensaios')
      await seed(server.url, owner)
      await use(owner)
    },
    { scope: 'worker', timeout: 300_000 },
  ],
  person: async ({ owner }, use) => use(owner),
})

/** The card under a heading. */
export const card = (page: Page, title: string) =>
  page.locator('section').filter({ has: page.getByRole('heading', { name: title, exact: true }) })
