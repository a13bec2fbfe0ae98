import { reasonOf } from '../api/client.ts'
import { toast } from '../ui/toast.tsx'

/** Does what an administrator asked for and says how it went; true when it worked. */
export async function attempt(work: () => Promise<unknown>, success: string): Promise<boolean> {
  try {
    await work()
    toast.success(success)
    return true
  } catch (error) {
    toast.error(reasonOf(error))
    return false
  }
}
