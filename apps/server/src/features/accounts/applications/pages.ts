const ESCAPES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
const escaped = (text: string): string => text.replace(/[&<>"']/g, (mark) => ESCAPES[mark] ?? mark)

/** A page of the server's own, without a script: what somebody else's address said stands on none of them. */
export const plainPage = ({ title, text }: { title: string; text: string }): string => `<!doctype html>
<html lang="pt-BR">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escaped(title)} · Ensaio</title>
<style>
:root { color-scheme: light dark; --back: #f7f6f3; --card: #ffffff; --line: #dcd9d2; --text: #23211d; --muted: #5d584f }
@media (prefers-color-scheme: dark) {
  :root { --back: #171614; --card: #201f1c; --line: #3a3833; --text: #f0eee9; --muted: #b3aea3 }
}
body { margin: 0; background: var(--back); color: var(--text); font: 15px/1.55 system-ui, sans-serif }
main { max-width: 28rem; margin: 4rem auto; padding: 1.75rem 2rem; background: var(--card);
  border: 1px solid var(--line); border-radius: 8px }
h1 { margin: 0 0 .5rem; font-size: 1.4rem; line-height: 1.3 }
p { margin: 0; color: var(--muted); overflow-wrap: anywhere }
@media (max-width: 32rem) { main { margin: 1rem } }
</style>
</head>
<body><main><h1>${escaped(title)}</h1><p>${escaped(text)}</p></main></body>
</html>
`
