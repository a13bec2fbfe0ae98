import { ApiError } from '../../api/client.ts'
import { toast } from '../../ui/toast.tsx'

/** Does what an administrator asked for and says how it went; true when it worked. */
export async function attempt(work: () => Promise<unknown>, success: string): Promise<boolean> {
  try {
    await work()
    toast.success(success)
    return true
  } catch (error) {
    const sentence = error instanceof ApiError ? (error.fields[0]?.message ?? error.message) : null
    toast.error(sentence ?? 'Erro do servidor. Tente novamente mais tarde.')
    return false
  }
}
