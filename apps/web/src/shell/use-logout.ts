import { useNavigate } from 'react-router'
import { signOut } from '../api/auth-client.ts'
import { queryClient } from '../api/query-client.ts'
import { toast } from '../ui/toast.tsx'
import { paths } from './paths.ts'

/** Ends the session in every tab and goes back to the start. */
export function useLogout() {
  const navigate = useNavigate()
  return async () => {
    // What is still asked for is nobody's any more.
    await queryClient.cancelQueries()
    await signOut()
    navigate(paths.landing, { replace: true })
    toast.success('Logout realizado com sucesso!')
  }
}
