import { Moon, Sun } from 'lucide-react'
import { IconButton } from '../ui/Button.tsx'
import { useTheme } from '../ui/theme.ts'

export function ThemeButton() {
  const [theme, setTheme] = useTheme()
  const next = theme === 'dark' ? 'light' : 'dark'
  return (
    <IconButton
      label={next === 'dark' ? 'Usar tema escuro' : 'Usar tema claro'}
      onClick={() => setTheme(next)}
    >
      {theme === 'dark' ? <Sun aria-hidden /> : <Moon aria-hidden />}
    </IconButton>
  )
}
