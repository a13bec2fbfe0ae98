import { BrandColour, contract, LOGO_MAX_BYTES, problem } from '@ensaio/domain'
import type { Wall } from '../../database/wall.ts'
import type { Route } from '../../http/contract-routes.ts'
import { readUpload } from '../../http/upload.ts'
import { losesParts } from '../../jobs/logo.ts'
import { setAs } from '../../jobs/typeset.ts'
import { shareOf } from '../../places.ts'
import { brandOf, putBrand, type StoredBrand } from './brand.repository.ts'
import { MEMBERS_NOT_FOUND, type Organizations } from './organizations.service.ts'

const LOGO = { field: 'logo', maxBytes: LOGO_MAX_BYTES, name: 'do logotipo' } as const

const present = ({ cor, logo }: StoredBrand) => ({
  marca: { cor, logo: logo && `data:image/png;base64,${logo.toString('base64')}` },
})

/** The logo and the colour that an organisation's reports carry. */
export function brandRoutes(
  route: Route,
  { wall, organizations }: { wall: Wall; organizations: Organizations },
): void {
  route(
    contract.getBrand,
    async ({ actor, params: { id } }) => {
      await organizations.one(actor, id)
      return present(await brandOf(wall.for({ id: actor.id, organization: id }), id))
    },
    MEMBERS_NOT_FOUND,
  )

  route(
    contract.putBrand,
    async ({ actor, params: { id }, request }) => {
      const organization = await organizations.one(actor, id)
      if (organization.papel !== 'dono') throw problem('permission.denied')
      organizations.open(organization)
      const { files, fields } = await readUpload(request, { maxFiles: 1, of: LOGO })
      const cor = BrandColour.safeParse(fields['cor'] ?? '')
      if (!cor.success)
        throw problem('validation.failed', { fields: [{ path: 'cor', message: 'Escolha uma cor' }] })
      const [file] = files
      if (file && file.bytes === null) throw problem('brand.too_large')
      if (file?.bytes && losesParts(file.bytes)) throw problem('brand.logo_parts')
      const handle = organizations.inNameOf(actor, id)
      const drawn = file?.bytes ? await setAs({ as: 'logo', bytes: file.bytes }, shareOf(actor)) : null
      if (drawn?.length === 0) throw problem('brand.invalid_logo')
      await putBrand(handle, id, {
        ...(fields['cor'] !== undefined && { cor: cor.data }),
        ...(drawn ? { logo: drawn } : fields['sem_logo'] === '1' ? { logo: null } : {}),
      })
      return present(await brandOf(handle, id))
    },
    MEMBERS_NOT_FOUND,
  )
}
