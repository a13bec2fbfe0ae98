import { tokenHash } from '../../secret/mailed-token.ts'
import type { Invitations } from '../accounts/accounts.feature.ts'
import { acceptAs, findInvitation } from './members.repository.ts'

/** Invitations as a sign-up meets them: whoever has the link of one has its address. */
export const invitations: Invitations = {
  async isFor(handle, token, email) {
    const found = await findInvitation(handle, { hash: tokenHash(token), id: null })
    return found?.email === email
  },
  accept: (handle, token, personId) => acceptAs(handle, personId, tokenHash(token)),
}
