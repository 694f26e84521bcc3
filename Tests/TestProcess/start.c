// The setup of the tests' process, for any way to start it: `swift test`, an editor, or scripts/test.
#include <stdlib.h>
#include <sys/resource.h>

// Before main, where the tests' library asks how many tests may run at once. Every test starts its own servers. If all tests ran
// at once, they would wait for one another until their time limits pass, and need thousands of files.
__attribute__((constructor)) static void start(void) {
    setenv("SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH", "20", 0);
    struct rlimit files;
    if (getrlimit(RLIMIT_NOFILE, &files) == 0) {
        files.rlim_cur = files.rlim_max;
        setrlimit(RLIMIT_NOFILE, &files);
    }
}
