# Completion of c9s and kubectl-c9s for fish. In ~/.config/fish/config.fish:
#   c9s completion fish | source

function __c9s_complete
    set -l before (commandline -opc)
    set -l typed (commandline -ct)
    set -l program (string replace -r '^~/' "$HOME/" -- $before[1])
    set -l directive 0
    set -l found

    for line in ($program __complete $before[2..-1] "$typed" 2>/dev/null)
        if string match -qr '^:\d+$' -- $line
            set directive (string sub -s 2 -- $line)
        else if test -n "$line"
            set -a found $line
        end
    end

    # Of --flag=value the value alone is completed; fish wants the whole word back.
    set -l flag (string match -r '^-[^=]*=' -- $typed)
    set -l value (string replace -r '^-[^=]*=' '' -- $typed)

    if test (math "bitand($directive, 8)") -ne 0
        set -l kept '(/|\.('(string join '|' -- $found)'))(\t.*)?$'
        string replace -r '^' -- "$flag" (__fish_complete_path "$value" | string match -er -- $kept)
    else if test (math "bitand($directive, 16)") -ne 0
        string replace -r '^' -- "$flag" (__fish_complete_directories "$value" '')
    else if test (count $found) -gt 0
        string replace -r '^' -- "$flag" $found
    else if test (math "bitand($directive, 5)") -eq 0
        string replace -r '^' -- "$flag" (__fish_complete_path "$value")
    end
end

complete -c c9s -f -a '(__c9s_complete)'
complete -c kubectl-c9s -f -a '(__c9s_complete)'
